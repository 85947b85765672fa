import { IsDefined, IsIn } from 'class-validator';

/** The body of `PATCH /sandbox/tpps/{clientId}`. */
export class TppStatusDto {
  @IsDefined()
  @IsIn(['active', 'blocked'], { message: 'Send active or blocked.' })
  readonly status!: 'active' | 'blocked';
}
