import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const packages = createRequire(import.meta.url);

/** The library htmx, which the console serves itself. */
export const htmx = readFileSync(packages.resolve('htmx.org/dist/htmx.min.js'), 'utf8');
const manifest = readFileSync(packages.resolve('htmx.org/package.json'), 'utf8');
export const htmxVersion = (JSON.parse(manifest) as { readonly version: string }).version;
