/**
 * Words that every rule needs, except those for shapes: a name that is given a value, a flag, a program that takes
 * a secret.
 */
const SECRET_WORDS =
  /(?:pass|pwd|passw(?:or)?d|passwd|passphrase|secret|token|key|credentials?|auth|-data|_data)(?:_[a-z0-9_]{1,20})?\\{0,8}["']?\]?\s{0,4}(?:[:=]|\\{0,8}["'],?\s)|--[\w-]{0,60}(?:pass|pwd|secret|token|key|auth|cred|cookie)|value["']?:|cookie|authorization|bearer|basic[ %]|token[ %]|:\/\/[^\s/]{0,300}@|[?&;](?:sig|key|code|auth|x-)|(?:curl|wget|sshpass|mysql(?:dump|admin|import|show)?|mariadb(?:-dump)?|docker|podman|helm|-cli|mongo(?:sh|dump|restore)?|7za?|zip|smbclient|ldapsearch|openssl|htpasswd)[ \t]|-----(?:BEGIN|END) /i;

/** A quick check: if `false`, only its own shape can make something here a secret. */
export function maySaySecret(text: string): boolean {
  return SECRET_WORDS.test(text);
}

/** No token is shorter. */
const SHORTEST_TOKEN = 15;

/** `[\w-]`, of the characters below 128. */
const IN_TOKEN: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * A quick check: if `false`, nothing here has the shape of a token. Searches backwards from each possible end of a
 * token: most characters of a text need not be examined.
 */
export function mayHoldToken(text: string): boolean {
  let last = SHORTEST_TOKEN - 1;
  while (last < text.length) {
    let at = last;
    while (at > last - SHORTEST_TOKEN && IN_TOKEN[text.charCodeAt(at)] === 1) at--;
    if (at === last - SHORTEST_TOKEN) return true;
    last = at + SHORTEST_TOKEN;
  }
  return false;
}
