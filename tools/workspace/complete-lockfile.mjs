// Adds to package-lock.json the optional platform packages that a registry mirror without them left out:
// `npm ci` refuses a lockfile in which a declared optional dependency has no entry, even for another platform.
// Run it after changing dependencies: node tools/workspace/complete-lockfile.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
const platform = { darwin: 'darwin', win32: 'win32', windows: 'win32', linux: 'linux', android: 'android' };
const other = {
  freebsd: 'freebsd',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  sunos: 'sunos',
  aix: 'aix',
  openharmony: 'openharmony',
};
const cpus = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el'];

const added = [];
for (const [at, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (at === '' || lock.packages[`node_modules/${name}`] || lock.packages[`${at}/node_modules/${name}`])
      continue;
    const words = name.split(/[-/]/);
    const os = words.map((word) => platform[word] ?? other[word]).find(Boolean) ?? 'none';
    const cpu = cpus.find((word) => words.includes(word)) ?? 'none';
    lock.packages[`node_modules/${name}`] = { version, cpu: [cpu], dev: entry.dev, optional: true, os: [os] };
    added.push(name);
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} optional platform packages added: ${added.join(', ')}`);
