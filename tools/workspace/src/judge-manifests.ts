// node tools/workspace/dist/judge-manifests.js FILE…: judges files of Kubernetes objects (what `kubectl kustomize` rendered) by the
// schemas of each version of Kubernetes and of the custom resources; says what is wrong and ends with 1 if anything is.
import { readFileSync } from 'node:fs';
import { ManifestJudge } from './manifests/judge.js';

const judge = new ManifestJudge();
for (const file of process.argv.slice(2)) {
  const problems = await judge.listProblemsOf(readFileSync(file, 'utf8'));
  for (const problem of problems) console.error(`${file}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
