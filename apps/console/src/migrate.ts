import { runMigrations } from '@xs2a/migrations/run-migrations';
import { migrationConfig, readConfig } from '@xs2a/runtime/config';
import { migrations, schema } from './migrations/index.js';

await runMigrations({
  url: readConfig(migrationConfig).MIGRATION_DATABASE_URL,
  schema,
  migrations,
});
