import { IsDefined, IsString } from 'class-validator';

export const advanceHint = 'Send an ISO 8601 duration of at most ten years, such as PT1M.';

/**
 * The body of `POST /sandbox/clock`. The length of the duration depends on the current time, which the controller
 * knows.
 */
export class ClockDto {
  @IsDefined()
  @IsString({ message: advanceHint })
  readonly advance!: string;
}
