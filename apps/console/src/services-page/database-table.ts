import type { DatabaseReport } from '@xs2a/contracts/console/database.contract';
import { bytesText } from '@xs2a/doctor/bytes';
import { type Html, html } from '@xs2a/html/html';
import type { DatabaseReports } from './databases.js';

/** One row for each service that has a database: its migrations, and the size of its schema. */
export const databaseTable = (reports: DatabaseReports): Html => {
  const whole = Math.max(...reports.map(([, { answer }]) => answer?.databaseBytes ?? 0));
  return html`<table>
    <caption>
      Databases${whole === 0 ? '' : `, ${bytesText(whole)}`}
    </caption>
    <thead>
      <tr>
        <th scope="col">service</th>
        <th scope="col">state</th>
        <th scope="col">migrations</th>
        <th scope="col" class="number">schema</th>
      </tr>
    </thead>
    <tbody>
      ${reports.map(([service, { answer, missing }]) =>
        answer === undefined
          ? html`<tr class="is-problem">
              <td><b>${service}</b></td>
              <td><span class="pill problem">not known</span></td>
              <td>${missing} did not answer</td>
              <td class="number">–</td>
            </tr>`
          : html`<tr ${isBehind(answer) ? html`class="is-problem"` : undefined}>
              <td><b>${service}</b></td>
              <td>
                ${isBehind(answer) ? html`<span class="pill problem">behind</span>` : html`<span class="pill good">migrated</span>`}
              </td>
              <td>${migrationsText(answer)}</td>
              <td class="number">${bytesText(answer.schemaBytes)}</td>
            </tr>`,
      )}
    </tbody>
  </table>`;
};

const isBehind = ({ migrations }: DatabaseReport): boolean => migrations.missing.length > 0;

/** How many migrations have run, which ones are missing, and whether a newer release has migrated already. */
export const migrationsText = ({
  migrations: { applied, needed, missing },
}: Pick<DatabaseReport, 'migrations'>): string => {
  if (missing.length > 0)
    return `${needed - missing.length} of ${needed}; xs2a migrate runs ${missing.join(', ')}`;
  const more = applied - needed;
  return more > 0 ? `all ${needed}, and ${more} of a newer release` : `all ${needed}`;
};
