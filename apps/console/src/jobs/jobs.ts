import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Act } from '../actions/acts.js';
import type { ItemOutcome, JobItemEntity } from './job-item.entity.js';
import { JobEntity, type JobState } from './job.entity.js';

/** A job with the number of its items by outcome. */
export interface JobProgress extends Pick<
  JobEntity,
  'jobId' | 'act' | 'target' | 'state' | 'beganAt' | 'endedAt'
> {
  readonly items: number;
  readonly done: number;
  readonly nothingToDo: number;
  readonly refused: number;
}
export type ShownItem = Pick<JobItemEntity, 'number' | 'item' | 'outcome' | 'endedAt'>;

/** Items that the runner handles together. */
export interface Batch {
  readonly jobId: string;
  readonly act: string;
  readonly items: readonly Pick<JobItemEntity, 'number' | 'item'>[];
}

const progress = `
  SELECT job.job_id AS "jobId", act, target, state, began_at AS "beganAt", job.ended_at AS "endedAt",
    count(*)::int AS items, count(*) FILTER (WHERE outcome = 'done')::int AS done,
    count(*) FILTER (WHERE outcome = 'nothing-to-do')::int AS "nothingToDo",
    count(*) FILTER (WHERE outcome = 'refused')::int AS refused
  FROM job JOIN job_item USING (job_id)`;

/** The jobs of the staff. Each changes only by statements that name the state it must be in, so that races have one winner. */
@Injectable()
export class Jobs {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Stores a job, which one of the instances then runs. */
  async begin(
    job: { readonly jobId: string; readonly act: Act; readonly target: string },
    items: readonly string[],
  ): Promise<void> {
    await this.source.transaction(async (manager) => {
      await manager.insert(JobEntity, job);
      await manager.query(
        `INSERT INTO job_item (job_id, number, item)
         SELECT $1, number, item FROM unnest($2::text[]) WITH ORDINALITY AS listed (item, number)`,
        [job.jobId, items],
      );
    });
  }

  async find(jobId: string): Promise<JobProgress | undefined> {
    return (
      await this.source.query<JobProgress[]>(`${progress} WHERE job_id = $1 GROUP BY job_id`, [jobId])
    )[0];
  }

  /** Returns the newest jobs, newest first. */
  async latest(limit: number): Promise<readonly JobProgress[]> {
    return this.source.query(
      `${progress} WHERE job_id IN (SELECT job_id FROM job ORDER BY began_at DESC, job_id LIMIT $1)
       GROUP BY job_id ORDER BY began_at DESC, job_id`,
      [limit],
    );
  }

  /** Returns items of a job: those that were refused first, then those that are left, then the others. */
  async items(jobId: string, limit: number): Promise<readonly ShownItem[]> {
    return this.source.query(
      `SELECT number, item, outcome, ended_at AS "endedAt" FROM job_item WHERE job_id = $1
       ORDER BY outcome IS DISTINCT FROM 'refused', outcome IS NOT NULL, number LIMIT $2`,
      [jobId, limit],
    );
  }

  /** Pauses a running job, or lets a paused one continue. Returns false if it is in another state. */
  async change(jobId: string, from: JobState, to: JobState): Promise<boolean> {
    const changed = await this.source.manager.update(JobEntity, { jobId, state: from }, { state: to });
    return changed.affected === 1;
  }

  /** Returns the next items of the oldest running job; undefined if there are none. */
  async next(limit: number): Promise<Batch | undefined> {
    const rows = await this.source.query<({ jobId: string; act: string } & Batch['items'][number])[]>(
      `SELECT job_id AS "jobId", act, number, item FROM job_item JOIN
         (SELECT job_id, act FROM job WHERE state = 'running' ORDER BY began_at, job_id LIMIT 1) AS oldest USING (job_id)
       WHERE outcome IS NULL ORDER BY number LIMIT $1`,
      [limit],
    );
    const [first] = rows;
    return first && { jobId: first.jobId, act: first.act, items: rows };
  }

  /** Records outcomes, each once, and ends the job after its last one. */
  async record({ jobId, items }: Batch, outcomes: ReadonlyMap<string, ItemOutcome>): Promise<void> {
    await this.source.transaction(async (manager) => {
      await manager.query(
        `UPDATE job_item SET outcome = found.outcome, ended_at = now()
         FROM unnest($2::int[], $3::text[]) AS found (number, outcome)
         WHERE job_id = $1 AND job_item.number = found.number AND job_item.outcome IS NULL`,
        [jobId, items.map(({ number }) => number), items.map(({ item }) => outcomes.get(item))],
      );
      await manager.query(
        `UPDATE job SET state = 'ended', ended_at = now() WHERE job_id = $1 AND state <> 'ended'
           AND NOT EXISTS (SELECT FROM job_item WHERE job_item.job_id = $1 AND outcome IS NULL)`,
        [jobId],
      );
    });
  }
}
