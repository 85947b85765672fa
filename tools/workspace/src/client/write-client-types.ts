import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources.js';
import { clientTypes } from './client-types.js';

// `npm run client:types`: writes the types of the TypeScript client from the API description.
const folder = join(root, 'clients/typescript/src/generated');
for (const [name, text] of Object.entries(await clientTypes())) writeFileSync(join(folder, name), text);
