import type { Section } from "./tables.ts";

/**
 * Puts tables where a page asks for them, in place of what stands there; others stay as they are.
 *
 *   <!-- table: bill -->
 *   <!-- end -->
 */
export function fillPage(page: string, sections: readonly Section[]): string {
  return page.replace(PLACE, (whole, key: string) => {
    const section = sections.find((each) => each.key === key);
    return section ? `<!-- table: ${key} -->\n\`\`\`text\n${section.table}\n\`\`\`\n<!-- end -->` : whole;
  });
}

const PLACE = /<!-- table: (.+?) -->\n[\s\S]*?<!-- end -->/g;
