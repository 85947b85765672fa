import { deploymentAccounts, deploymentConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';

// `npm run nats:configuration`: deploy/nats/nats-server.conf and the accounts for NATS' Helm chart, from the table of permissions.
writeFileSync(join(root, 'deploy/nats/nats-server.conf'), deploymentConfiguration());
writeFileSync(join(root, 'k8s/components/nats/accounts.conf'), deploymentAccounts());
