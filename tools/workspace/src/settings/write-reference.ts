import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources.js';
import { settingsReference } from './reference.js';

// `npm run settings:reference`: writes docs/settings.md.
const file = join(root, 'docs/settings.md');
writeFileSync(file, await settingsReference());
execFileSync(join(root, 'node_modules/.bin/oxfmt'), [file]);
