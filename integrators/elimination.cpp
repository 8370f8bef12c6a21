#include "integrators/elimination.h"

#include <algorithm>
#include <cmath>

namespace mbfmu {
namespace {

constexpr double kThreshold = 0.05;  // a pivot is at least this part of its column's largest entry
constexpr double kSingular = 1e-14;  // a column this much smaller than it began has cancelled to round-off
constexpr int kColumnsSearched = 6;  // candidates compared before the cheapest is taken

struct Entry {
  int index;  // column in a row's list, row in a column's list
  int slot;
};

struct Pivot {
  int row = -1, col = -1, slot = -1;
};

// The part of the matrix not eliminated yet.
class Active {
 public:
  Active(int n, const Pattern& pattern, const std::vector<std::complex<double>>& sample)
      : rows(toSize(n)),
        cols(toSize(n)),
        value(sample),
        start_(toSize(n), 0.0),
        head_(toSize(n) + 1, -1),
        next_(toSize(n), -1),
        previous_(toSize(n), -1),
        bucket_(toSize(n), -1),
        slotOf_(toSize(n), -1) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      add(pattern.row[i], pattern.col[i], static_cast<int>(i));
      double& largest = start_[toSize(pattern.col[i])];
      largest = std::max(largest, std::abs(sample[i]));
    }
    for (int j = 0; j < n; ++j) link(j);
  }

  static std::size_t toSize(int i) { return static_cast<std::size_t>(i); }
  std::vector<Entry>& row(int i) { return rows[toSize(i)]; }
  std::vector<Entry>& col(int j) { return cols[toSize(j)]; }
  std::complex<double>& at(int slot) { return value[toSize(slot)]; }

  void add(int i, int j, int slot) {
    row(i).push_back({j, slot});
    col(j).push_back({i, slot});
  }

  // Columns are kept in lists by their number of entries.
  void link(int j) {
    const int count = static_cast<int>(col(j).size());
    bucket_[toSize(j)] = count;
    previous_[toSize(j)] = -1;
    next_[toSize(j)] = head_[toSize(count)];
    if (next_[toSize(j)] >= 0) previous_[toSize(next_[toSize(j)])] = j;
    head_[toSize(count)] = j;
  }
  void unlink(int j) {
    const int before = previous_[toSize(j)], after = next_[toSize(j)];
    if (before >= 0) next_[toSize(before)] = after;
    if (before < 0) head_[toSize(bucket_[toSize(j)])] = after;
    if (after >= 0) previous_[toSize(after)] = before;
  }

  bool choosePivot(Pivot& pivot) {
    long best = -1;
    double bestSize = 0;
    int searched = 0;
    for (std::size_t count = 1; count < head_.size() && searched < kColumnsSearched; ++count) {
      const long least = static_cast<long>((count - 1) * (count - 1));
      if (best >= 0 && best <= least) break;
      for (int j = head_[count]; j >= 0 && searched < kColumnsSearched; j = next_[toSize(j)]) {
        double largest = 0;
        for (const Entry& e : col(j)) largest = std::max(largest, std::abs(at(e.slot)));
        if (!(largest > kSingular * start_[toSize(j)])) continue;
        ++searched;
        for (const Entry& e : col(j)) {
          const double size = std::abs(at(e.slot)) / largest;
          if (!(size >= kThreshold)) continue;
          const long cost = static_cast<long>((row(e.index).size() - 1) * (count - 1));
          if (best >= 0 && (cost > best || (cost == best && size <= bestSize))) continue;
          best = cost;
          bestSize = size;
          pivot = {e.index, j, e.slot};
        }
      }
    }
    return best >= 0;
  }

  // The slot of a pivot given by row and column; false if there is none.
  bool find(Pivot& pivot) {
    for (const Entry& e : row(pivot.row))
      if (e.index == pivot.col) pivot.slot = e.slot;
    return pivot.slot >= 0;
  }

  // Without sample values all are zero.
  std::complex<double> multiplier(int slot, int pivotSlot) {
    return at(pivotSlot) == 0.0 ? 0.0 : at(slot) / at(pivotSlot);
  }

  static void remove(std::vector<Entry>& list, int index) {
    const auto it = std::find_if(list.begin(), list.end(), [index](const Entry& e) { return e.index == index; });
    *it = list.back();
    list.pop_back();
  }

  // Row i minus l times the pivot row; new entries get new slots. Records where each product goes.
  void subtractRow(int i, std::complex<double> l, const std::vector<Entry>& pivotRow, std::vector<int>& target) {
    for (const Entry& e : row(i)) slotOf_[toSize(e.index)] = e.slot;
    for (const Entry& u : pivotRow) {
      int& slot = slotOf_[toSize(u.index)];
      if (slot < 0) {
        slot = static_cast<int>(value.size());
        value.push_back(0.0);
        unlink(u.index);
        add(i, u.index, slot);
        link(u.index);
      }
      at(slot) -= l * at(u.slot);
      target.push_back(slot);
    }
    for (const Entry& e : row(i)) slotOf_[toSize(e.index)] = -1;
  }

  std::vector<std::vector<Entry>> rows, cols;
  std::vector<std::complex<double>> value;

 private:
  std::vector<double> start_;
  std::vector<int> head_, next_, previous_, bucket_, slotOf_;
};

}  // namespace

bool Elimination::analyse(int n, const Pattern& pattern, const std::vector<std::complex<double>>& sample) {
  Active active(n, pattern, sample);
  return eliminate(n, active, [&active](int, Pivot& pivot) { return active.choosePivot(pivot); });
}

bool Elimination::restore(int n, const Pattern& pattern, const std::vector<int>& rows, const std::vector<int>& cols) {
  if (rows.size() != Active::toSize(n) || cols.size() != rows.size()) return false;
  const std::vector<int> pivotRow = rows, pivotCol = cols;  // they may be this object's own
  Active active(n, pattern, std::vector<std::complex<double>>(pattern.size()));
  return eliminate(n, active, [&](int k, Pivot& pivot) {
    pivot.row = pivotRow[Active::toSize(k)];
    pivot.col = pivotCol[Active::toSize(k)];
    return pivot.row >= 0 && pivot.row < n && active.find(pivot);
  });
}

// Eliminates with the pivots that choose(k, pivot) names, until it returns false.
template <class Active, class Choose>
bool Elimination::eliminate(int n, Active& active, Choose choose) {
  for (auto* list : {&pivotSlot_, &pivotRow_, &pivotCol_, &lowerCount_, &upperCount_, &lowerSlot_, &lowerRow_,
                     &upperSlot_, &upperCol_, &target_})
    list->clear();
  n_ = n;
  deficientRow_ = -1;
  std::vector<char> done(static_cast<std::size_t>(n), 0);
  for (int k = 0; k < n; ++k) {
    Pivot pivot;
    if (!choose(k, pivot)) {
      deficientRow_ = static_cast<int>(std::find(done.rbegin(), done.rend(), 0) - done.rbegin());
      deficientRow_ = n - 1 - deficientRow_;
      return false;
    }
    const int p = pivot.row, q = pivot.col;
    done[static_cast<std::size_t>(p)] = 1;
    active.unlink(q);
    Active::remove(active.row(p), q);
    Active::remove(active.col(q), p);
    const std::vector<Entry> right = active.row(p), below = active.col(q);
    for (const Entry& u : right) {
      active.unlink(u.index);
      Active::remove(active.col(u.index), p);
      active.link(u.index);
      upperSlot_.push_back(u.slot);
      upperCol_.push_back(u.index);
    }
    for (const Entry& l : below) {
      Active::remove(active.row(l.index), q);
      lowerSlot_.push_back(l.slot);
      lowerRow_.push_back(l.index);
      active.subtractRow(l.index, active.multiplier(l.slot, pivot.slot), right, target_);
    }
    pivotRow_.push_back(p);
    pivotCol_.push_back(q);
    pivotSlot_.push_back(pivot.slot);
    lowerCount_.push_back(static_cast<int>(below.size()));
    upperCount_.push_back(static_cast<int>(right.size()));
  }
  slots_ = static_cast<int>(active.value.size());
  return true;
}

LuProgram Elimination::program() const {
  LuProgram p;
  p.n = n_;
  p.pivotSlot = pivotSlot_.data();
  p.pivotRow = pivotRow_.data();
  p.pivotCol = pivotCol_.data();
  p.lowerCount = lowerCount_.data();
  p.upperCount = upperCount_.data();
  p.lowerSlot = lowerSlot_.data();
  p.lowerRow = lowerRow_.data();
  p.upperSlot = upperSlot_.data();
  p.upperCol = upperCol_.data();
  p.upperSize = static_cast<long>(upperSlot_.size());
  p.target = target_.data();
  return p;
}

}  // namespace mbfmu
