// Prepares a fresh machine for the project: installs npm packages (including Node 24) and Debian programs.
// Plain JavaScript without dependencies, because it runs first, on whatever version of Node.js the machine
// has.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The source of a program: a Debian package or a Homebrew formula. */
const sources = {
  openssl: { apt: ['openssl'], brew: 'openssl@3' },
  curl: { apt: ['curl'], brew: 'curl' },
  'nats-server': { apt: ['nats-server'], brew: 'nats-server' },
  chromium: { apt: ['chromium', 'fonts-dejavu-core'], brew: '--cask chromium' },
};

const stop = (problem, repair) => {
  console.error(`${problem} Run: ${repair}`);
  process.exit(1);
};

const onPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const quietly = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', ...options });

const installPackages = (say) => {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules/.xs2a-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  say('installing packages (npm ci, about half a minute the first time)');
  const { status, stderr, error } = quietly('npm', ['ci', '--no-audit', '--no-fund']);
  if (error !== undefined) stop('npm was not found.', 'apt-get install npm');
  if (status !== 0) {
    console.error(
      stderr
        .split('\n')
        .filter((line) => line.includes('error'))
        .slice(0, 10)
        .join('\n'),
    );
    stop('The packages could not be installed.', 'npm ci');
  }
  writeFileSync(stamp, lock);
};

const mayInstall = () => onPath('apt-get') && process.getuid?.() === 0;

const installed = (packages) => {
  const aptEnv = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const install = () =>
    quietly('apt-get', ['install', '-y', '--no-install-recommends', ...packages], aptEnv).status === 0;
  if (install()) return true;
  quietly('apt-get', ['update'], aptEnv);
  return install();
};

/**
 * Extracts a Debian package to .xs2a, for which root is not needed. Prometheus is not installed, because its package
 * starts a server on port 9090, now and at each boot.
 */
const extractPackage = (name, say) => {
  const folder = join(root, '.xs2a', name);
  if (onPath(name) || existsSync(folder)) return;
  if (process.platform === 'darwin') stop(`${name} is missing.`, `brew install ${name}`);
  if (!onPath('apt-get')) {
    console.error(
      `${name} is missing, and there is no apt-get to download it. Put its programs on the PATH.`,
    );
    process.exit(1);
  }
  say(`extracting ${name} (Debian's package)`);
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const download = () => quietly('apt-get', ['download', name], { cwd: unfinished }).status === 0;
  if (!download() && !(quietly('apt-get', ['update']).status === 0 && download()))
    stop(`${name} could not be downloaded.`, 'sudo apt-get update');
  for (const file of readdirSync(unfinished)) {
    if (quietly('dpkg-deb', ['-x', file, '.'], { cwd: unfinished }).status !== 0)
      stop(`${name} could not be extracted.`, `rm -rf .xs2a/${name}.new`);
    rmSync(join(unfinished, file));
  }
  renameSync(unfinished, folder);
};

const installProgram = (program, say) => {
  if (onPath(program)) return;
  if (program === 'prometheus') return extractPackage(program, say);
  const { apt, brew } = sources[program];
  if (process.platform === 'darwin') stop(`${program} is missing.`, `brew install ${brew}`);
  if (!mayInstall()) stop(`${program} is missing.`, `sudo apt-get install -y ${apt.join(' ')}`);
  say(`installing ${program} (Debian's package)`);
  if (!installed(apt) || !onPath(program))
    stop(`${program} could not be installed.`, `apt-get update && apt-get install -y ${apt.join(' ')}`);
};

/** Installs a package that may be missing. Installation is attempted only once. */
const installOptional = (name, say) => {
  const stamp = join(root, `.xs2a/${name}-asked-for`);
  if (!mayInstall() || existsSync(stamp)) return;
  writeFileSync(stamp, '');
  if (quietly('dpkg', ['-s', name]).status === 0) return;
  say(`installing ${name} (Debian's package)`);
  installed([name]);
};

/**
 * Installs what is missing, printing one line of progress for each item. Returns the path of the project's own
 * Node 24.
 */
export const prepare = ({ programs = [], say = (line) => console.log(`… ${line}`) } = {}) => {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) stop(`Node ${process.versions.node} is too old; 20 or newer is needed.`, 'nvm install 24');
  mkdirSync(join(root, '.xs2a'), { recursive: true });
  installPackages(say);
  for (const program of programs) installProgram(program, say);
  // The allocator that keeps the memory use of services low (docs/adr/0022).
  if (programs.length > 0) installOptional('libjemalloc2', say);
  // A browser without a user interface halves the CPU time of page tests.
  if (programs.includes('chromium')) installOptional('chromium-headless-shell', say);
  const node = join(root, 'node_modules/node/bin/node');
  const version = quietly(node, ['--version']);
  if (version.status !== 0 || !version.stdout.startsWith('v24.')) {
    stop(
      'Node 24 was not installed with the packages (npm 11 must be allowed to run its install script).',
      'rm -rf node_modules && npm ci',
    );
  }
  return node;
};
