/**
 * Which characters the pieces of an expression match, as sets of samples. The samples are every character up to
 * `LAST_SAMPLE`, some of other scripts, and further characters that the expression names, with their neighbours. So two
 * pieces that match a common character have a sample in common.
 */
export class CharacterSets {
  readonly #samples: readonly string[];
  readonly #flags: string;
  readonly #known = new Map<string, bigint>();
  readonly all: bigint;

  private constructor(flags: string, named: readonly number[]) {
    const codes = new Set(OTHER_SCRIPTS);
    for (let code = 0; code <= LAST_SAMPLE; code++) codes.add(code);
    for (const code of named) for (const near of [code - 1, code, code + 1]) codes.add(near);
    const most = /[uv]/.test(flags) ? 0x10ffff : 0xffff;
    this.#samples = [...codes].filter((code) => code <= most).map((code) => String.fromCodePoint(code));
    this.#flags = flags.replace(/[dgmy]/g, "");
    this.all = (1n << BigInt(this.#samples.length)) - 1n;
  }

  /**
   * `named`: the characters that the expression names. Most expressions name only the usual ones and share one
   * object.
   */
  static of(flags: string, named: readonly number[]): CharacterSets {
    const beyond = named.filter((code) => code > LAST_SAMPLE);
    if (beyond.length > 0) return new CharacterSets(flags, beyond);
    const shared = SHARED.get(flags) ?? new CharacterSets(flags, []);
    SHARED.set(flags, shared);
    return shared;
  }

  /** The samples that a piece matches: `a`, `\d`, `[^"]`, `.` */
  of(piece: string): bigint {
    const known = this.#known.get(piece);
    if (known !== undefined) return known;
    const expression = new RegExp(`^(?:${piece})$`, this.#flags);
    const set = this.#samples.map((sample) => (expression.test(sample) ? "1" : "0"));
    const bits = BigInt(`0b${set.reverse().join("")}`);
    this.#known.set(piece, bits);
    return bits;
  }

  /** One sample of a set: a letter or digit if there is one, or else a printable character. */
  sampleOf(set: bigint): string {
    const found = this.#samples.filter((_, i) => (set >> BigInt(i)) & 1n);
    return (
      found.find((sample) => /[a-z0-9]/.test(sample)) ??
      found.find((sample) => /[ -~]/.test(sample)) ??
      found[0] ??
      ""
    );
  }
}

const SHARED = new Map<string, CharacterSets>();

const LAST_SAMPLE = 0x17f;
/** Greek, Cyrillic, Chinese, blanks, line ends, an Arabic digit, a combining mark; two beyond the first plane. */
const OTHER_SCRIPTS: readonly number[] = [
  0x3b1, 0x416, 0x4e2d, 0x2003, 0x2028, 0x2029, 0xfeff, 0x661, 0x301, 0x1f600, 0x10400,
];
