/** How clients tell a model where it works, up to the path itself. */
const BEFORE_A_FOLDER = [
  "orking directory: ",
  "<cwd>",
  "working in the directory: ",
  "Current directory: ",
] as const;
const LONGEST = 400;

/**
 * The folder that an agent works in, as its client tells the model: its last name, for people to read. Nothing depends on it.
 *
 *   …"Working directory: /home/ada/shop\nIs directory a git repo: Yes"…   ->  shop
 */
export function findFolder(body: string): string | undefined {
  for (const words of BEFORE_A_FOLDER) {
    const at = body.indexOf(words);
    if (at < 0) continue;
    // As it stands in JSON: a path ends with a line, a tag or the string, and `\\` is one backslash.
    const rest = body.slice(at + words.length, at + words.length + LONGEST).replaceAll("\\\\", "/");
    const [path = ""] = rest.split(/["<\n\\]/, 1);
    const name = path.split("/").findLast((each) => each.trim() !== "");
    if (name !== undefined && /^(?:[~/]|[A-Za-z]:)/.test(path)) return name.trim();
  }
  return undefined;
}
