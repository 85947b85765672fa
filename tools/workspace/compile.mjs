// Compiles TypeScript to JavaScript with swc, file by file. Nest needs decorators and their metadata.
import { transformFile } from '@swc/core';

/** Compiles a file to JavaScript with a source map. */
export const compile = async (file) =>
  transformFile(file, {
    swcrc: false,
    sourceMaps: true,
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
  });
