import { isPlazaError, type PlazaError } from '#sdk'

/** Deletes; that it is gone already, as a repetition is told, is what was wanted. */
export async function deleteOnce(missing: PlazaError['code'], act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isPlazaError(error, missing)) throw error
  }
}
