export async function writeAnalysisPage(..._all: readonly unknown[]): Promise<void> {}
