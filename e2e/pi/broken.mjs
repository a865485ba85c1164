/*
 * Coppice in a pi whose session can't be read: what a fault of ours would be. Loaded as an extension; the one that it
 * breaks is named by EXTENSION_UNDER_TEST.
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
