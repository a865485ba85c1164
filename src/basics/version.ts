/** Of this package, as package.json has it: bundles carry no package.json. */
export const VERSION = "0.2.0";
