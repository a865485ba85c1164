/** What every rule needs to find something: a word that names a secret, a program that takes one, or a long run. */
const HINT =
  /pass|secret|token|key|pwd|credential|auth|bearer|basic|cookie|-data|:\/\/|[?&;](?:sig|code)|curl|wget|mysql|mariadb|docker|podman|helm|-cli|mongo|7z|zip|smbclient|ldap|openssl|[\w-]{16}|-----(?:BEGIN|END) /i;

/** A quick look: where it says no, the rules find nothing. */
export function mayHoldSecret(text: string): boolean {
  return HINT.test(text);
}
