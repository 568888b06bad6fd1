import { Signal } from '../db/signal.ts'

/** Signals that new deliveries are pending. */
export const deliveriesLeft = new Signal()
