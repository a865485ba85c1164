/** How clients tell a model its working folder, up to the path itself. */
const BEFORE_A_FOLDER = [
  "orking directory: ",
  "<cwd>",
  "working in the directory: ",
  "Current directory: ",
] as const;
const LONGEST = 400;

/**
 * The last name of the folder that an agent works in, from the client's text for the model. Only people read it.
 *
 *   …"Working directory: /home/ada/shop\nIs directory a git repo: Yes"…   ->  shop
 */
export function findFolder(body: string): string | undefined {
  for (const words of BEFORE_A_FOLDER) {
    const at = body.indexOf(words);
    if (at < 0) continue;
    // In JSON, a path ends at a line break, a tag or the end of the string, and `\\` is one backslash.
    const rest = body.slice(at + words.length, at + words.length + LONGEST).replaceAll("\\\\", "/");
    const [path = ""] = rest.split(/["<\n\\]/, 1);
    const name = path.split("/").findLast((each) => each.trim() !== "");
    if (name !== undefined && /^(?:[~/]|[A-Za-z]:)/.test(path)) return name.trim();
  }
  return undefined;
}
