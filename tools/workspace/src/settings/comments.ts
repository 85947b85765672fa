import ts from 'typescript';
import { readText } from '../sources.js';

/** The settings that an exported object declares, each with the comment above it. */
export interface DeclaredGroup {
  readonly name: string;
  readonly comment: string;
  readonly settings: readonly { readonly name: string; readonly comment: string }[];
}

const commentOf = (node: ts.Node): string => {
  const first = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc);
  return (ts.getTextOfJSDocComment(first?.comment) ?? '').replaceAll(/\s+/g, ' ');
};

/** The exported settings objects of a TypeScript file: `export const databaseConfig = { … }`. */
export const declaredGroups = (file: string): DeclaredGroup[] => {
  const source = ts.createSourceFile(file, readText(file), ts.ScriptTarget.ES2024, true);
  return source.statements.filter(ts.isVariableStatement).flatMap((statement) =>
    statement.declarationList.declarations.flatMap((declaration): DeclaredGroup[] => {
      const { initializer } = declaration;
      if (initializer === undefined || !ts.isObjectLiteralExpression(initializer)) return [];
      return [
        {
          name: declaration.name.getText(),
          comment: commentOf(statement),
          settings: initializer.properties
            .filter(ts.isPropertyAssignment)
            .map((property) => ({ name: property.name.getText(), comment: commentOf(property) })),
        },
      ];
    }),
  );
};
