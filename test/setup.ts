import fc from "fast-check";

/** One seed for all property tests, so that a run can be repeated; `SEED=random` (or a number) looks elsewhere. */
const given = process.env.SEED ?? "20261116";
if (given !== "random") fc.configureGlobal({ seed: Number(given) });
