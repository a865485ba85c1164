/** The beginning of a word: also after an escape such as `\n`, after `%3D` of a url, and after a terminal colour. */
export const START: string = String.raw`(?<=^|[^\w\\]|\\[bfnrt]|%[0-9A-Fa-f]{2}|\[\d{1,3}m)`;

/**
 * Tokens that are recognised by their beginnings, as their makers document them. Shorter than documented is enough,
 * because the text that an agent saw may be cut off.
 */
const SHAPES: readonly string[] = [
  // models
  String.raw`sk-(?:ant-|proj-|or-|svcacct-|admin-)?[\w-]{20,}`,
  String.raw`gsk_\w{20,}`,
  String.raw`xai-\w{20,}`,
  String.raw`hf_\w{20,}`,
  String.raw`r8_\w{20,}`,
  String.raw`pplx-\w{20,}`,
  String.raw`tgp_v1_[\w-]{20,}`,
  // clouds
  "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
  String.raw`AIza[\w-]{30,}`,
  String.raw`ya29\.[\w-]{20,}`,
  String.raw`GOCSPX-[\w-]{20,}`,
  String.raw`1\/\/0[\w-]{20,}`,
  String.raw`do[opr]_v1_\w{20,}`,
  "dapi[a-f0-9]{32}",
  String.raw`vc[piark]_\w{20,}`,
  String.raw`nf[pcob]_\w{20,}`,
  String.raw`fo1_[\w-]{20,}`,
  String.raw`FlyV1 [\w/+=,-]{20,}`,
  String.raw`hvs\.[\w-]{20,}`,
  "pul-[a-f0-9]{20,}",
  // code and packages
  String.raw`gh[oprsu]_\w{20,}`,
  String.raw`github_pat_\w{20,}`,
  String.raw`gl(?:pat|ptt|rt|dt|cbt|oas|soat|agent)-[\w.-]{16,}`,
  String.raw`npm_\w{20,}`,
  String.raw`pypi-[\w-]{20,}`,
  String.raw`rubygems_\w{20,}`,
  String.raw`crates?io_?\w{30,}`,
  String.raw`dckr_[po]at_[\w-]{16,}`,
  "sq[a-z]_[a-f0-9]{32,}",
  String.raw`ATATT3[\w=-]{20,}`,
  String.raw`ATBB\w{20,}`,
  // services
  String.raw`(?:sk|rk|pk)_(?:live|test)_\w{16,}`,
  String.raw`whsec_[\w+/=-]{16,}`,
  String.raw`sq0(?:atp|csp)-[\w-]{16,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  "SK[a-f0-9]{32}",
  "key-[a-f0-9]{32}",
  String.raw`shp(?:at|ca|pa|ss)_\w{20,}`,
  String.raw`lin_(?:api|oauth)_\w{20,}`,
  String.raw`figd_[\w-]{20,}`,
  String.raw`ntn_\w{20,}`,
  String.raw`gl(?:sa|c)_\w{20,}`,
  String.raw`sntry[su]_[\w+/=-]{20,}`,
  String.raw`phc_\w{20,}`,
  String.raw`ops_ey[\w+/=-]{20,}`,
  String.raw`AGE-SECRET-KEY-1\w{20,}`,
  // chats and bots
  String.raw`xox[a-z]-[\w-]{10,}`,
  String.raw`xapp-[\w-]{10,}`,
  String.raw`(?:bot)?\d{8,10}:[\w-]{33,}`,
  String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}`,
  String.raw`hooks\.slack\.com/(?:services|workflows)/[\w/]{20,}`,
  String.raw`discord(?:app)?\.com/api/webhooks/[\w/-]{20,}`,
  // PEM in base64
  String.raw`LS0tLS1CRUdJTi[\w+/=]{16,}`,
];

export const TOKEN: RegExp = new RegExp(`${START}(?:${SHAPES.join("|")})`, "g");

/** A JSON Web Token. A match without dots is not one; it is skipped, because no token begins inside it. */
export const WEB_TOKEN: RegExp = new RegExp(
  String.raw`(?=eyJ)${START}eyJ[\w-]{10,}(?:\.[\w-]{10,}(?:\.[\w-]*)?)?`,
  "g",
);
