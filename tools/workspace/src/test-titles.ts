import ts from 'typescript';

/** The titles of a test as written: those of its blocks, then its own. */
export type TestTitle = readonly string[];

const runners: ReadonlySet<string> = new Set(['describe', 'it', 'test']);

/** Returns the function name in `describe(…)`, `it.each(…)(…)`, `it.skip(…)` and similar calls. */
const runnerOf = (callee: ts.Expression): string | undefined => {
  if (ts.isIdentifier(callee)) return runners.has(callee.text) ? callee.text : undefined;
  if (ts.isPropertyAccessExpression(callee)) return runnerOf(callee.expression);
  if (ts.isCallExpression(callee)) return runnerOf(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return runnerOf(callee.tag);
  return undefined;
};

/**
 * Returns the text of a title. `${value}` in a template stays as written, and concatenated literals become one
 * title.
 */
const titleOf = (expression: ts.Expression | undefined): string | undefined => {
  if (expression === undefined) return undefined;
  if (ts.isStringLiteralLike(expression)) return expression.text;
  if (ts.isTemplateExpression(expression))
    return (
      expression.head.text +
      expression.templateSpans.map((span) => `\${${span.expression.getText()}}${span.literal.text}`).join('')
    );
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [titleOf(expression.left), titleOf(expression.right)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return undefined;
};

/** Returns the tests in a spec file, in order, except tests with a computed title. */
export const testTitles = (source: string): TestTitle[] => {
  const found: TestTitle[] = [];
  const visit = (node: ts.Node, around: TestTitle): void => {
    let inside = around;
    if (ts.isCallExpression(node)) {
      const runner = runnerOf(node.expression);
      const title = runner === undefined ? undefined : titleOf(node.arguments[0]);
      if (title !== undefined && node.arguments.length > 1) {
        if (runner === 'describe') inside = [...around, title];
        else found.push([...around, title]);
      }
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true), []);
  return found;
};
