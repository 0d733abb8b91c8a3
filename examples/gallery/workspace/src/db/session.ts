export type Transaction = { commit(): Promise<void>; rollback(): Promise<void> };

export async function within<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  try {
    const value = await work();
    await tx.commit();
    return value;
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}
