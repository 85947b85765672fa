import { deploymentConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../layout.js';

// `npm run nats:configuration`: deploy/nats/nats-server.conf from the table of rights.
writeFileSync(join(root, 'deploy/nats/nats-server.conf'), deploymentConfiguration());
