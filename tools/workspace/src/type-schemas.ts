import ts from 'typescript';

/** The subset of JSON Schema (draft 2020-12) that our types use. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly maxLength?: number;
}

const isOptional = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.Optional) !== 0;

/**
 * JSON Schemas of TypeScript types, generated with the compiler. Throws for a type that is not plain data. All
 * numbers are integers, because messages contain no others (money is in minor units). `@format` and `@maxLength`
 * in a comment become keywords; the rest becomes the `description`.
 */
export class TypeSchemas {
  private readonly program: ts.Program;
  private readonly checker: ts.TypeChecker;

  constructor(files: readonly string[]) {
    this.program = ts.createProgram([...files], {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      noEmit: true,
      types: [],
      customConditions: ['source'],
    });
    this.checker = this.program.getTypeChecker();
  }

  ofInterface(file: string, name: string): JsonSchema {
    return this.ofObject(this.checker.getDeclaredTypeOfSymbol(this.exported(file, name)));
  }

  /** Returns, for each union member identified by a literal property, the schema of another property. */
  ofUnion(
    file: string,
    name: string,
    { by, of }: { readonly by: string; readonly of: string },
  ): Map<string, JsonSchema> {
    const union = this.checker.getDeclaredTypeOfSymbol(this.exported(file, name));
    const members = union.isUnion() ? union.types : [union];
    return new Map(
      members.map((member) => {
        const key = this.property(member, by);
        if (!key.isStringLiteral()) throw new Error(`${name}.${by} is no literal`);
        return [key.value, this.ofType(this.property(member, of))];
      }),
    );
  }

  private exported(file: string, name: string): ts.Symbol {
    const source = this.program.getSourceFile(file);
    const module = source && this.checker.getSymbolAtLocation(source);
    const symbol = module?.exports?.get(ts.escapeLeadingUnderscores(name));
    if (symbol === undefined) throw new Error(`${file} does not export ${name}`);
    return symbol;
  }

  private property(type: ts.Type, name: string): ts.Type {
    const symbol = type.getProperty(name);
    if (symbol === undefined) throw new Error(`no property ${name}`);
    return this.checker.getTypeOfSymbol(symbol);
  }

  private ofType(declared: ts.Type): JsonSchema {
    const given = this.checker.getBaseConstraintOfType(declared) ?? declared;
    const type = this.checker.getNonNullableType(given);
    if (given.flags & ts.TypeFlags.Unknown) return {};
    if (type.isStringLiteral()) return { const: type.value };
    if (type.isUnion()) return this.ofMembers(type);
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'integer' };
    if (this.checker.isArrayType(type)) {
      const [element] = this.checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: element === undefined ? {} : this.ofType(element) };
    }
    const isObject = type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection);
    if (isObject && type.getCallSignatures().length === 0) return this.ofObject(type);
    if (type.flags & ts.TypeFlags.BooleanLiteral)
      return { const: this.checker.typeToString(type) === 'true' };
    throw new Error(`${this.checker.typeToString(type)} is no plain data`);
  }

  private ofMembers(type: ts.UnionType): JsonSchema {
    if (type.types.every((member) => member.flags & ts.TypeFlags.BooleanLiteral)) return { type: 'boolean' };
    if (type.types.every((member) => !member.isStringLiteral())) {
      return { oneOf: type.types.map((member) => this.ofType(member)) };
    }
    const values = type.types.map((member) => {
      if (!member.isStringLiteral()) throw new Error(`${this.checker.typeToString(type)} is no plain data`);
      return member.value;
    });
    return { enum: values };
  }

  private ofObject(type: ts.Type): JsonSchema {
    const index = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    const hasMore = index !== undefined && !(index.type.flags & ts.TypeFlags.Never);
    const properties = type.getProperties();
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map((symbol) => [symbol.name, this.described(symbol)])),
      required: properties.filter((symbol) => !isOptional(symbol)).map((symbol) => symbol.name),
      additionalProperties: hasMore ? this.ofType(index.type) : false,
    };
  }

  private described(symbol: ts.Symbol): JsonSchema {
    const description = ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).trim();
    const tagged = (wanted: string): string | undefined => {
      const tag = symbol.getJsDocTags(this.checker).find(({ name }) => name === wanted);
      return tag && ts.displayPartsToString(tag.text).trim();
    };
    const format = tagged('format');
    const maxLength = tagged('maxLength');
    return {
      ...(description === '' ? {} : { description }),
      ...this.ofType(this.checker.getTypeOfSymbol(symbol)),
      ...(format === undefined ? {} : { format }),
      ...(maxLength === undefined ? {} : { maxLength: Number(maxLength) }),
    };
  }
}
