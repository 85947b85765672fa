// One configuration for every project: `.spec.ts` is pure and fast, `.int.spec.ts` uses real PostgreSQL and
// NATS, and `.e2e.spec.ts` uses the public interface. TIER selects one of these tiers; if it is not set, all
// of them run.
const tiers = {
  unit: { testMatch: ['**/src/**/!(*.int|*.e2e).spec.ts'], testTimeout: 20_000 },
  int: { testMatch: ['**/src/**/*.int.spec.ts'], testTimeout: 60_000 },
  e2e: { testMatch: ['**/src/**/*.e2e.spec.ts'], testTimeout: 120_000 },
  'e2e-euro': { testMatch: ['**/src/**/*.e2e.spec.ts'], testTimeout: 120_000 },
  long: { testMatch: ['**/src/**/*.{int,e2e}.spec.ts'], testTimeout: 120_000 },
  nightly: { testMatch: ['**/src/**/*.{int,e2e}.spec.ts'], testTimeout: 120_000 },
};
const tier = tiers[process.env.TIER] ?? { testMatch: ['**/src/**/*.spec.ts'] };

export default {
  ...tier,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['/dist/', '/\\.nx/', '/\\.xs2a/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!@xs2a/)'],
};
