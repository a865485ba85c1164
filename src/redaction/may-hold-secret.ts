/** What every rule but those for shapes needs: a name that is given a value, a flag, a program that takes a secret. */
const SAID =
  /(?:pass|pwd|passw(?:or)?d|passwd|passphrase|secret|token|key|credentials?|auth|-data|_data)(?:_[a-z0-9_]{1,20})?\\{0,8}["']?\]?\s{0,4}(?:[:=]|\\{0,8}["'],?\s)|--[\w-]{0,60}(?:pass|pwd|secret|token|key|auth|cred|cookie)|value["']?:|cookie|authorization|bearer|basic[ %]|token[ %]|:\/\/[^\s/]{0,300}@|[?&;](?:sig|key|code|auth|x-)|(?:curl|wget|sshpass|mysql(?:dump|admin|import|show)?|mariadb(?:-dump)?|docker|podman|helm|-cli|mongo(?:sh|dump|restore)?|7za?|zip|smbclient|ldapsearch|openssl|htpasswd)[ \t]|-----(?:BEGIN|END) /i;

/** A quick look: where it says no, nothing but its own shape can make something here a secret. */
export function maySaySecret(text: string): boolean {
  return SAID.test(text);
}

/** No token is shorter. */
const RUN = /[\w-]{15}/;

/** A quick look: where it says no, nothing here has the shape of a token. */
export function mayHoldToken(text: string): boolean {
  return RUN.test(text);
}
