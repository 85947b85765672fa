import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources.js';
import { profilesPage } from './profiles-page.js';

// `npm run profiles`: writes docs/profiles.md.
const file = join(root, 'docs/profiles.md');
writeFileSync(file, profilesPage());
execFileSync(join(root, 'node_modules/.bin/oxfmt'), [file]);
