import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import type { CommandWords, ToolUse } from "../../src/tool-kinds/tool-use.ts";

const kinds = createToolKinds();

function run(command: string): ToolUse {
  return kinds.describe("bash", { command });
}

function filesOf(command: string): readonly string[] {
  return run(command).files.map(({ operation, path, range }) =>
    range ? `${operation} ${path} ${range.from}-${range.to ?? ""}` : `${operation} ${path}`,
  );
}

describe("a line that only shows files reads them", () => {
  test.each<[string, readonly string[]]>([
    ["cat a.ts", ["read a.ts"]],
    ["cat -n 'a b.ts'", ["read a b.ts"]],
    ['cat "a.ts" b.ts', ["read a.ts", "read b.ts"]],
    ["/bin/cat ./src/../a.ts", ["read a.ts"]],
    ["cat a\\ b.ts", ["read a b.ts"]],
    ["cat app/[slug]/page.tsx", ["read app/[slug]/page.tsx"]],
    ["cat a.ts 2>/dev/null", ["read a.ts"]],
    ["cat a.ts 2>&1", ["read a.ts"]],
    ["head a.ts", ["read a.ts 1-10"]],
    ["head -n 50 a.ts", ["read a.ts 1-50"]],
    ["head -n50 a.ts", ["read a.ts 1-50"]],
    ["head -50 a.ts", ["read a.ts 1-50"]],
    ["head --lines=50 a.ts b.ts", ["read a.ts 1-50", "read b.ts 1-50"]],
    ["tail -n 20 a.ts", ["read a.ts -20-"]],
    ["tail -20 a.ts", ["read a.ts -20-"]],
    ["tail -n +20 a.ts", ["read a.ts 20-"]],
    ["tail -n +1 a.ts", ["read a.ts"]],
    ["sed -n 1,80p a.ts", ["read a.ts 1-80"]],
    ["sed -n '5p' a.ts", ["read a.ts 5-5"]],
    ["sed -n '5,$p' a.ts", ["read a.ts 5-"]],
    ["sed -n '5,+3p' a.ts", ["read a.ts 5-8"]],
    ["sed -n '$p' a.ts", ["read a.ts -1-"]],
    ["sed -n -e '1,2p' -e '8,9p' a.ts", ["read a.ts 1-2", "read a.ts 8-9"]],
    ["sed -n '1,2p;8,9p' a.ts", ["read a.ts 1-2", "read a.ts 8-9"]],
    ["nl -ba a.ts", ["read a.ts"]],
    ["nl -b a -w 3 a.ts", ["read a.ts"]],
    ["nl -ba a.ts | sed -n '1,120p'", ["read a.ts 1-120"]],
    ["cat a.ts | head -n 20", ["read a.ts 1-20"]],
    ["sed -n '11,90p' a.ts | head -20", ["read a.ts 11-30"]],
    ["sed -n '11,90p' a.ts | cat -n", ["read a.ts 11-90"]],
    ["tail -n +11 a.ts | head -n 5", ["read a.ts 11-15"]],
    ["cat a.ts | tail -n 5", ["read a.ts -5-"]],
    ["cat a.ts | nl | sed -n '2,4p;6p'", ["read a.ts 2-4", "read a.ts 6-6"]],
    ["less a.ts", ["read a.ts"]],
    ["bat --style plain --paging=never -r 5:9 a.ts", ["read a.ts 5-9"]],
    ["bat a.ts", ["read a.ts"]],
    ["cd src && cat a.ts", ["read src/a.ts"]],
    ["cd src; cat a.ts", ["read src/a.ts"]],
    ["cd /w/src\ncat ../a.ts", ["read /w/a.ts"]],
    ["cd src && cd lib && cat a.ts /b.ts", ["read src/lib/a.ts", "read /b.ts"]],
    ["cd && cat a.ts", ["read ~/a.ts"]],
    ["cd $X && cd /w && cat a.ts", ["read /w/a.ts"]],
    ["cat a.ts && sed -n 1,5p b.ts", ["read a.ts", "read b.ts 1-5"]],
    ["cat a.ts; cat a.ts", ["read a.ts"]],
    ["bash -lc 'cat a.ts'", ["read a.ts"]],
    ["LC_ALL=C cat a.ts", ["read a.ts"]],
  ])("%s", (command, files) => {
    expect(filesOf(command)).toEqual(files);
  });
});

describe("other lines are not reads", () => {
  test.each([
    "cat",
    "cat -",
    "cat *.ts",
    "cat {a,b}.ts",
    "cat $FILE",
    'cat "$(ls)"',
    "cat < a.ts",
    "cat <<EOF\nx\nEOF",
    "cat a.ts | grep x",
    "cat a.ts | wc -l",
    "cat a.ts | head -n 5 > /dev/stderr | wc",
    "grep x a.ts",
    "wc -l a.ts",
    "cat a.ts && npm test",
    "npm test; cat a.ts",
    "cat a.ts || true",
    "cat a.ts & cat b.ts",
    "(cat a.ts)",
    "if true; then cat a.ts; fi",
    "for f in a b; do cat $f; done",
    "cd - && cat a.ts",
    "cd $X && cat a.ts",
    "false || cd x; cat a.ts",
    "head -c 100 a.ts",
    "head -n -5 a.ts",
    "tail -f a.ts",
    "tail -n 0 a.ts",
    "cat a.ts b.ts | head -5",
    "tail -20 a.ts | head -5",
    "head -20 a.ts | tail -5",
    "sed -n '1,5p' a.ts b.ts",
    "sed -n '/x/,/y/p' a.ts",
    "sed '1,5d' a.ts",
    "sed -n 's/x/y/p' a.ts",
    "sed 1,5p a.ts",
    "less +9 a.ts",
    "cat 'unterminated",
    "",
    "# cat a.ts",
  ])("%s", (command) => {
    expect(filesOf(command)).toEqual([]);
  });
});

describe("a line that clearly changes files", () => {
  test.each<[string, readonly string[]]>([
    ["rm a.ts", ["delete a.ts"]],
    ["rm -rf a.ts -- -b", ["delete a.ts", "delete -b"]],
    ["rm a.ts *.log $X", ["delete a.ts"]],
    ["git rm --cached a.ts", ["delete a.ts"]],
    ["cat > a.ts <<'EOF'\nrm b.ts\nEOF", ["write a.ts"]],
    ["cat <<EOF > a.ts\nx\nEOF\nnpm test", ["write a.ts"]],
    ["echo x > a.ts", ["write a.ts"]],
    ["echo x >> a.ts", ["edit a.ts"]],
    ["npm test &> out.log", ["write out.log"]],
    ["npm test > out.log 2>&1", ["write out.log"]],
    ["echo x | tee a.ts", ["write a.ts"]],
    ["echo x | tee -a a.ts > /dev/null", ["edit a.ts"]],
    ["sed -i 's/x/y/' a.ts b.ts", ["edit a.ts", "edit b.ts"]],
    ["sed -i '' 's/x/y/' a.ts", ["edit a.ts"]],
    ["sed -i.bak -e 's/x/y/' a.ts", ["edit a.ts"]],
    ["sed -E -i 's/x/y/' a.ts && npm test", ["edit a.ts"]],
    ["sed --in-place 's/x/y/' a.ts", ["edit a.ts"]],
    ["perl -0pi -e 's/x/y/' a.ts", ["edit a.ts"]],
    ["perl -i -pe 's/x/y/' a.ts", ["edit a.ts"]],
    ["mv a.ts b.ts", ["delete a.ts", "write b.ts"]],
    ["mv a.ts b.ts lib/", ["delete a.ts", "delete b.ts", "write lib/a.ts", "write lib/b.ts"]],
    ["git mv -f a.ts src/", ["delete a.ts", "write src/a.ts"]],
    ["cp a.ts b.ts", ["write b.ts"]],
    ["cp x/a.ts lib/", ["write lib/a.ts"]],
    ["cp a.ts", []],
    ["cp -t lib a.ts", []],
    ["git checkout -- a.ts", ["edit a.ts"]],
    ["git checkout main", []],
    ["git restore a.ts", ["edit a.ts"]],
    ["git restore --staged a.ts", []],
    ["git --no-pager rm a.ts", ["delete a.ts"]],
    ["truncate -s 0 a.ts", ["edit a.ts"]],
    ["cd src && rm a.ts && cd .. && rm a.ts", ["delete src/a.ts", "delete a.ts"]],
    ["cd $X && rm a.ts /b.ts", ["delete /b.ts"]],
    ["test -f x || rm a.ts", []],
    ["for f in a b; do rm c.ts; done", []],
    ["git apply <<'EOF'\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+y\nEOF", ["edit a.ts"]],
    ["patch -p1 < a.diff", []],
    ["npm test", []],
  ])("%s", (command, files) => {
    expect(filesOf(command)).toEqual(files);
  });
});

describe("the commands of a line", () => {
  test.each<[string, readonly CommandWords[]]>([
    ["git status -s", [{ words: ["git", "status", "-s"], writes: false }]],
    [
      `a 'x y' "z" && b | c; d || e & f`,
      [
        { words: ["a", "x y", "z"], writes: false },
        { words: ["b"], writes: false, joint: "&&" },
        { words: ["c"], writes: false, joint: "|" },
        { words: ["d"], writes: false, joint: ";" },
        { words: ["e"], writes: false, joint: "||" },
        { words: ["f"], writes: false, joint: "&" },
      ],
    ],
    ["ls > a", [{ words: ["ls"], writes: true }]],
    ["ls 2>/dev/null >&2", [{ words: ["ls"], writes: false }]],
    ["ls $X", [{ words: ["ls", "$X"], writes: false, dynamic: true }]],
    ["(ls) > a", [{ words: ["ls"], writes: true, joint: ";", nested: true, dynamic: true }]],
    [
      "echo $(pwd)",
      [
        { words: ["echo", "$(pwd)"], writes: false, dynamic: true },
        { words: ["pwd"], writes: false, joint: ";", nested: true, dynamic: true },
      ],
    ],
    [
      "cd a; ls",
      [
        { words: ["cd", "a"], writes: false },
        { words: ["ls"], writes: false, joint: ";", directory: "a" },
      ],
    ],
    ["X=1", [{ words: [], writes: true }]],
    ["bash -c 'ls -l'", [{ words: ["ls", "-l"], writes: false }]],
    ["if foo", []],
    ["echo 'open", []],
  ])("%s", (command, commands) => {
    expect(run(command).commands).toEqual(commands);
    expect(run(command).command).toBe(command);
  });

  test.each([
    ["touch a", true],
    ["git commit -m x", true],
    ["git -C lib add .", true],
    ["git stash", true],
    ["git stash list", false],
    ["git", false],
    ["find . -name x -delete", true],
    ["find . -name x", false],
    ["sed -i s/x/y/ a", true],
    ["sed -n 1p a", false],
    ["npm test", false],
  ])("%s writes: %s", (command, writes) => {
    expect(run(command).commands?.[0]?.writes).toBe(writes);
  });
});

describe("changes of lines by their numbers", () => {
  test.each([
    ["sed -i '12,14d' a.ts", true],
    ["sed -i.bak -e s/x/y/ -e 5d a.ts", true],
    ["cd src && sed --in-place '7s/a/b/' a.ts", true],
    ["sed -i '' '10i\\\ntext' a.ts", true],
    ["sed -i s/1/2/ a.ts", false],
    ["sed -i '/x/d' 12.ts", false],
    ["sed -n 12,14p a.ts", false],
    ["cat a.ts", false],
  ])("%s: %s", (command, byLine) => {
    expect(run(command).byLine === true).toBe(byLine);
  });
});

describe("the directory after a line in a persistent shell", () => {
  test.each([
    ["ls", undefined],
    ["cd src", { directory: "src" }],
    ["cd /w && cd src && ls", { directory: "/w/src" }],
    ["(cd src && ls)", undefined],
    ["cd src | cat", undefined],
    ["cd -", {}],
    ["pushd src", {}],
    ['cd "$X" && cd /w', { directory: "/w" }],
    ['cd "$X" && cd src', {}],
  ])("%s: %j", (command, endsIn) => {
    expect(run(command).endsIn).toEqual(endsIn);
  });
});

test("a command as words equals the same command as a line", () => {
  const word = fc.oneof(
    fc.constantFrom("cat", "-n", "a b", "it's", "$X", "a;b", '"', "\\", "*"),
    fc.string({ minLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      fc.pre(!words.some((text) => /[\n\r\0]/.test(text)) && !/=|^(?:ba|z|da)?sh$/.test(words[0] ?? ""));
      const { commands } = kinds.describe("shell", { command: ["run", ...words] });
      expect(commands?.map((command) => command.words)).toEqual([["run", ...words]]);
    }),
  );
});

test("any text is a line, and none throws", () => {
  const piece = fc.constantFrom(
    "cat ",
    "a.ts",
    " | ",
    "&&",
    ";",
    "'",
    '"',
    "$(",
    ")",
    "`",
    ">",
    "<<EOF\n",
    "sed -n ",
    "1,5p ",
    "cd ",
    "\\",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join("")),
      ),
      (line) => {
        const use = run(line);
        expect(use.kind).toBe("shell");
        if (use.commands?.length === 0) expect(use.files).toEqual([]);
      },
    ),
    { numRuns: 1000 },
  );
});

test("a line with extreme nesting is ignored", () => {
  expect(filesOf(`${"(".repeat(50_000)}cat a.ts${")".repeat(50_000)}`)).toEqual([]);
});
