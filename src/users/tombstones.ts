/** Owner of contents during their erasure. A user with this id can never sign in (`036-erasure.ts`). */
export const NOBODY = 'usr_7zzzzzzzzzzzzzzzzzzzzzzzzz'
