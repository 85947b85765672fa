import { deploymentAccounts, deploymentConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';

// `npm run nats:configuration`: generates deploy/nats/nats-server.conf and the accounts for the NATS Helm
// chart from the permissions table.
writeFileSync(join(root, 'deploy/nats/nats-server.conf'), deploymentConfiguration());
writeFileSync(join(root, 'k8s/components/nats/accounts.conf'), deploymentAccounts());
