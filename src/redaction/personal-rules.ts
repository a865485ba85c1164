import { START } from "./token-shapes.ts";

/** A user's folder, but not a shared one. */
const USER = String.raw`(?!Shared\b|Public\b|Default\b)[\w.@-]*[\w-]`;
/**
 * Not inside another path, but allowed after a flag (`-I/home/…`), the `a` of a diff (`a/home/…`) or a terminal
 * colour.
 */
const PATH_START = String.raw`(?<=^|[^\w.~/\\-]|\\[bfnrt]|:\/\/|%[0-9A-Fa-f]{2}|\[[\d;]{1,8}m|(?:^|[\s"'=])(?:-[A-Za-z]|[ab]))`;
const SLASH = "(?:%2F|%5C)";
/** In the list of one of our markers, names begin with a letter or a digit, whatever preceded them. */
const LISTED = "(?<=also names |, )";
const ABOVE = "(?:[A-Za-z]/|(?:var|usr|export|System/Volumes/Data)/|(?:mnt|cygdrive)/[a-z]/)?";

/** E-mail addresses and home folders, and their replacements. */
export const PERSONAL_RULES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /(?<=^|[^\w.+\\-]|\\[bfnrt])(?!git@|noreply@)[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?!\.*[\w@-])/g,
    "[e-mail]",
  ],
  [new RegExp(`(?=/)${PATH_START}(?:/var|/usr|/export)?/home/${USER}`, "g"), "~"],
  [
    new RegExp(`(?=/)${PATH_START}(?:/mnt|/cygdrive|/System/Volumes/Data)?(?:/[a-z])?/Users/${USER}`, "g"),
    "~",
  ],
  // allowed inside another path
  [new RegExp(`(?:/mnt|/cygdrive)/[a-z]/Users/${USER}`, "g"), "~"],
  [
    new RegExp(`(?<![\\w.])(?:\\.\\./){2,20}Users/${USER}|(?<![\\w.])(?:\\.\\./){4,20}home/${USER}`, "g"),
    "~",
  ],
  [new RegExp(`(?=[A-Za-z]:)${START}[A-Za-z]:(?:\\\\{1,8}|/)Users(?:\\\\{1,8}|/)${USER}`, "g"), "~"],
  [new RegExp(`\\\\{2,8}wsl[\\w.$]{0,20}\\\\{1,8}[\\w.-]{1,40}\\\\{1,8}home\\\\{1,8}${USER}`, "g"), "~"],
  [new RegExp(`(?=/root)${PATH_START}/root(?![\\w.-])`, "g"), "~"],
  // in a url: %2Fhome%2Fada, C%3A%5CUsers%5Cada
  [new RegExp(`(?:[A-Za-z]%3A)?${SLASH}(?:home|Users)${SLASH}[\\w.@-]+`, "gi"), "~"],
  // agents name folders after paths: /home/ada/shop is -home-ada-shop, C:\Users\ada is C--Users-ada
  [/(?=-|[A-Za-z]--)(?<=^|[\s"'`=:(/\\]|\\[nrt])(?:[A-Za-z]-|-)?-(?:home|Users)-[A-Za-z0-9]+/g, "-~"],
  // [also names home/ada/shop, I/home/ada/include, home-ada-shop, 2Fada]
  [new RegExp(`${LISTED}${ABOVE}(?:home|Users)(?:/${USER}|-[A-Za-z0-9]+)`, "g"), "~"],
  [new RegExp(`${LISTED}(?:2F|5C)[\\w.@-]+`, "gi"), "~"],
];
