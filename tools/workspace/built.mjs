// Records the sources of the last build, so that unchanged sources are not built again: a build would replace files that
// tests and running services may be about to load. Plain JavaScript without dependencies, for Node 20 or newer.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stamp = join(root, '.xs2a/built');

/** Returns a fingerprint of all source files (name, size and modification time). */
const sourcesFingerprint = () => {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const kind of ['apps', 'libs', 'clients', 'examples', 'tools', 'test']) {
    for (const project of readdirSync(join(root, kind))) {
      const sources = join(root, kind, project, 'src');
      if (!existsSync(sources)) continue;
      if (!existsSync(join(root, kind, project, 'dist'))) hash.update(`${project} is not built`);
      for (const file of readdirSync(sources, { recursive: true }).sort()) {
        const { size, mtimeMs } = statSync(join(sources, file));
        hash.update(`${project}/${file} ${size} ${mtimeMs}\n`);
      }
    }
  }
  return hash.digest('hex');
};

/** True if the built files are those of the current sources. */
export const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesFingerprint();

/** Records, after a build, that it was made from the current sources. */
export const markBuilt = () => writeFileSync(stamp, sourcesFingerprint());
