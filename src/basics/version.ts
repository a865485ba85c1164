/** The version in package.json, written here because bundles carry no package.json. */
export const VERSION = "0.2.0";
