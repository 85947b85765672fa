import { runMigrations } from '@xs2a/migrations/run-migrations';
import { readConfig, url } from '@xs2a/runtime/config';
import { migrations, schema } from './migrations/index.js';

await runMigrations({
  url: readConfig({ MIGRATION_DATABASE_URL: url() }).MIGRATION_DATABASE_URL,
  schema,
  migrations,
});
