import { Signal } from '../db/signal.ts'

/** Raised when new deliveries are pending. */
export const deliveriesLeft = new Signal()
