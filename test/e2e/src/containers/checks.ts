// Checks a running deployment: the demo, mutual TLS, doctor and Prometheus.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ClientTls, sendOverTls } from '@xs2a/tpp-client/tls-send';
import { root } from '@xs2a/sandbox/layout';
import { StaffBrowser } from '../console/staff-browser.js';
import type { Deployment } from './deployment.js';
import { run } from './shell.js';

const runBuilt = async (
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const file = join(root, script);
  if (!existsSync(file)) throw new Error('build the project first: npm run build');
  return run(join(root, 'node_modules/node/bin/node'), [file, ...args], { env });
};

/** Runs the demo from this machine against the gateway's own port. */
export const playDemo = async (deployment: Deployment): Promise<string> =>
  runBuilt('tools/sandbox/dist/demo/main.js', ['--base-url', deployment.baseUrl]);

/** Runs the demo through the TLS proxy with a client certificate, as the how-to describes. */
export const playDemoThroughEdge = async (deployment: Deployment): Promise<void> => {
  const said = await deployment.compose('--profile', 'demo', 'run', '--rm', '-T', 'demo');
  if (!said.includes('Everything was as the contract says.')) throw new Error(said);
};

/** Copies the proxy's certificates. Returns them as options for Node.js `tls`. */
export const readTls = async (deployment: Deployment): Promise<Required<ClientTls>> => {
  const [edge = ''] = await deployment.instances('edge');
  const folder = join(deployment.folder, 'certificates');
  mkdirSync(folder, { recursive: true });
  await deployment.engine.docker('cp', `${edge}:/run/secrets/xs2a/.`, folder);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return {
    ca: read('trust-anchors.pem'),
    identity: { certificate: read('tpp.crt'), privateKey: read('tpp.key') },
  };
};

/**
 * Checks that a token request without a client certificate is refused, both through the proxy and when bypassing
 * it.
 */
export const checkCertificateIsRequired = async (deployment: Deployment): Promise<void> => {
  const { ca } = await readTls(deployment);
  const path = '/oauth2/token';
  const through = await sendOverTls({ ca })('POST', `${deployment.baseUrl}${path}`);
  const past = await fetch(`http://127.0.0.1:${deployment.ports.gateway}${path}`, { method: 'POST' });
  for (const { status } of [through, past])
    if (status !== 401) throw new Error(`a call without a certificate returned ${status}`);
};

/** Returns doctor's output. Under the sandbox's rules, every check must pass. */
export const askDoctor = async (deployment: Deployment): Promise<string> => {
  const env = {
    DATABASE_URL: deployment.address('postgres', 'xs2a_owner', 'POSTGRES_PASSWORD_OWNER', '/xs2a'),
    NATS_URL: deployment.address('nats', 'operator', 'NATS_PASSWORD_OPERATOR'),
    PROFILE: 'sandbox',
    SANDBOX: 'true',
  };
  return runBuilt('apps/operator-cli/dist/main.js', ['doctor', '--deep'], env);
};

/** Signs in to the console as an operator, who sees the payments of the demo. */
export const signInToConsole = async (deployment: Deployment): Promise<void> => {
  const browser = new StaffBrowser(`http://127.0.0.1:${deployment.ports.console}`);
  const page = await browser.signIn('ivanova', '/payments');
  const text = await page.text();
  if (page.status !== 200 || !text.includes('ivanova'))
    throw new Error(`the console answered ${page.status} at ${page.url}`);
};

interface Targets {
  readonly activeTargets: readonly { readonly health: string; readonly scrapeUrl: string }[];
}

/**
 * Returns the number of instances that Prometheus scrapes and the number of its rules. Throws while an instance is
 * down.
 */
export const askPrometheus = async (deployment: Deployment): Promise<string> => {
  const ask = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`http://127.0.0.1:${deployment.ports.prometheus}/api/v1/${path}`);
    return ((await response.json()) as { readonly data: Data }).data;
  };
  for (let tries = 0; ; tries += 1) {
    // While Prometheus is starting, this try fails; the next try reads again, and the last one reports
    // missing targets.
    const { activeTargets } = await ask<Targets>('targets?state=active').catch((): Targets => ({
      activeTargets: [],
    }));
    const down = activeTargets.filter(({ health }) => health !== 'up');
    if (activeTargets.length > 0 && down.length === 0) {
      const { groups } = await ask<{ readonly groups: readonly { readonly rules: readonly unknown[] }[] }>(
        'rules',
      );
      const rules = groups.flatMap((group) => group.rules).length;
      return `${activeTargets.length} instances are scraped, ${rules} rules`;
    }
    if (tries === 60) throw new Error(`not scraped: ${down.map(({ scrapeUrl }) => scrapeUrl).join()}`);
    await wait(1000);
  }
};
