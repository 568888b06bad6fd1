import { Signal } from '../db/signal.ts'

/** Raised where deliveries are left. */
export const deliveriesLeft = new Signal()
