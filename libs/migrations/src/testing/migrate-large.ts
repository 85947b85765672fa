// A migration job as a process of its own, which a test may kill: prints the names of the migrations that it ran.
import { runMigrations } from '../run-migrations.js';
import { dueColumn, largeTable, schema } from './large-table.js';

const [url = ''] = process.argv.slice(2);
const ran = await runMigrations({ url, schema, migrations: [...largeTable, ...dueColumn] });
process.stdout.write(`${JSON.stringify(ran)}\n`);
