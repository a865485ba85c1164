/*
 * Coppice in a pi whose session can't be read, which stands for an error of ours. Loaded as an extension;
 * EXTENSION_UNDER_TEST names the one that it breaks.
 */
export default async function broken(pi) {
  const { default: coppice } = await import(process.env.EXTENSION_UNDER_TEST);
  const breakContext = (context) =>
    Object.defineProperty(Object.create(context), "sessionManager", {
      value: {
        getSessionId: () => "broken",
        getBranch() {
          throw new Error("no branch today");
        },
      },
    });
  coppice({
    on: (name, handler) => pi.on(name, (event, context) => handler(event, breakContext(context))),
    registerTool: (tool) => pi.registerTool(tool),
    registerCommand: (name, command) => pi.registerCommand(name, command),
    appendEntry: (...given) => pi.appendEntry(...given),
  });
}
