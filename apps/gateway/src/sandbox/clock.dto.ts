import { IsDefined, IsString } from 'class-validator';

export const advanceHint = 'Send an ISO 8601 duration of at most ten years, such as PT1M.';

/**
 * The body of `POST /sandbox/clock`. The duration is validated by the controller, because its length depends on
 * the current time.
 */
export class ClockDto {
  @IsDefined()
  @IsString({ message: advanceHint })
  readonly advance!: string;
}
