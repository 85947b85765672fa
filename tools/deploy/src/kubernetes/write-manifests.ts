import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';
import { madeManifests } from './manifests.js';

// `npm run k8s:manifests`: generates k8s from the settings that each app declares and the list of network flows.
for (const [file, text] of Object.entries(await madeManifests()))
  writeFileSync(join(root, 'k8s', file), text);
