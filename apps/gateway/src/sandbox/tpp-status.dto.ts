import { IsDefined, IsIn } from 'class-validator';

export class TppStatusDto {
  @IsDefined()
  @IsIn(['active', 'blocked'], { message: 'Send active or blocked.' })
  readonly status!: 'active' | 'blocked';
}
