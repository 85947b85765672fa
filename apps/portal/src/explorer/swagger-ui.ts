import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const packages = createRequire(import.meta.url);

/** The script and style of Swagger UI, which the portal serves itself. */
export const swaggerUiScript = readFileSync(packages.resolve('swagger-ui-dist/swagger-ui-bundle.js'));
export const swaggerUiStyle = readFileSync(packages.resolve('swagger-ui-dist/swagger-ui.css'));
const manifest = readFileSync(packages.resolve('swagger-ui-dist/package.json'), 'utf8');
export const swaggerUiVersion = (JSON.parse(manifest) as { readonly version: string }).version;
