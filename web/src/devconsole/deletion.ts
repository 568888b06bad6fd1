import { isPlazaError } from '#sdk'

/** Deletes; that it is gone already, as a repetition is told, is what was wanted. */
export async function deleteOnce(
  missing: Parameters<typeof isPlazaError>[1],
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isPlazaError(error, missing)) throw error
  }
}
