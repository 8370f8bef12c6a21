#include "benchmarks/ida_solver.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <map>

namespace mbfmu {
namespace {

// Multipliers stay out of the error test; a tolerance this loose keeps them out of the convergence test as well, whose
// round-off grows as 1/h. IDA fails in its first steps otherwise.
constexpr double kMultiplierTolerance = 1e2;
constexpr long kMaxSteps = 2'000'000;

class IdaProblem {
 public:
  IdaProblem(const System& system, IdaLinearSolver solver)
      : system_(system), n_(system.dimensions()), size_(2 * (n_.nv + n_.m)), sparse_(solver == IdaLinearSolver::klu) {
    y_ = {Vector::Zero(n_.nq), Vector::Zero(n_.nv), Vector(0)};
    w_ = {Vector::Zero(n_.nv), Vector(0), Vector::Zero(n_.m)};
    stabilising_ = w_;
    residual_ = second_ = Vector::Zero(n_.unknowns());
    placeEntries();
  }
  int size() const { return size_; }
  int nonzeros() const { return static_cast<int>(rowOf_.size()); }

  static int residual(double t, N_Vector Y, N_Vector Yp, N_Vector R, void* self) {
    static_cast<IdaProblem*>(self)->residual(t, N_VGetArrayPointer(Y), N_VGetArrayPointer(Yp), N_VGetArrayPointer(R));
    return 0;
  }
  static int jacobian(double t, double cj, N_Vector Y, N_Vector Yp, N_Vector, SUNMatrix J, void* self, N_Vector,
                      N_Vector, N_Vector) {
    static_cast<IdaProblem*>(self)->jacobian(t, cj, N_VGetArrayPointer(Y), N_VGetArrayPointer(Yp), J);
    return 0;
  }

 private:
  using Block = Eigen::Map<const Vector>;

  void read(const double* y, const double* yp) {
    y_.q = Block(y, n_.nv);
    y_.v = Block(y + n_.nv, n_.nv);
    w_.a = Block(yp + n_.nv, n_.nv);
    w_.lambda = Block(y + 2 * n_.nv + n_.m, n_.m);
  }

  // Phi_q^T mu is the difference of two residuals, which bring the constraints at both levels along.
  void residual(double t, const double* y, const double* yp, double* r) {
    read(y, yp);
    const int nv = n_.nv, m = n_.m;
    stabilising_.a = w_.a;
    stabilising_.lambda = w_.lambda + Block(y + 2 * nv, m);
    system_.residual(t, y_, w_, Level::velocity, residual_);
    system_.residual(t, y_, stabilising_, Level::position, second_);
    Eigen::Map<Vector> out(r, size_);
    out.head(nv) = Block(yp, nv) - y_.v + second_.head(nv) - residual_.head(nv);
    out.segment(nv, nv) = residual_.head(nv);
    out.segment(2 * nv, m) = second_.tail(m);
    out.tail(m) = residual_.tail(m);
  }

  void jacobian(double t, double cj, const double* y, const double* yp, SUNMatrix J) {
    read(y, yp);
    system_.linearise(t, y_, w_, Level::velocity, p_);
    double* data = sparse_ ? SUNSparseMatrix_Data(J) : SUNDenseMatrix_Data(J);
    if (sparse_) {
      std::copy(rowOf_.begin(), rowOf_.end(), SUNSparseMatrix_IndexValues(J));
      std::copy(columnStart_.begin(), columnStart_.end(), SUNSparseMatrix_IndexPointers(J));
    }
    std::fill(data, data + (sparse_ ? nonzeros() : size_ * size_), 0.0);
    for (int i = 0; i < n_.nv; ++i) {
      data[identity_[at(2 * i)]] += cj;
      data[identity_[at(2 * i + 1)]] -= 1;
    }
    for (std::size_t e = 0; e < place_.size(); ++e) {
      const Place& place = place_[e];
      if (place.kind == Place::motion) {
        data[place.first] += p_.p2[e];
        data[place.second] += cj * p_.p0[e] + p_.p1[e];
      } else if (place.kind != Place::none) {
        data[place.first] += p_.p0[e];
        data[place.second] += p_.p0[e];
        if (place.kind == Place::constraint) data[place.third] += p_.p1[e];
      }
    }
  }

  // Where each entry of the System's pattern goes in the matrix's array of values.
  struct Place {
    enum Kind { none, motion, force, constraint } kind = none;
    std::size_t first = 0, second = 0, third = 0;
  };

  void placeEntries() {
    const int nv = n_.nv, m = n_.m;
    const Pattern& pattern = system_.pattern();
    std::map<std::pair<int, int>, std::size_t> slot;  // by column, then row
    const auto visit = [&](const auto& put) {
      for (int i = 0; i < nv; ++i) {
        put(i, i, nullptr);
        put(i, nv + i, nullptr);
      }
      for (std::size_t e = 0; e < pattern.size(); ++e) {
        const int row = pattern.row[e], col = pattern.col[e], c = row - nv, k = col - nv;
        Place* place = e < place_.size() ? &place_[e] : nullptr;
        if (row < nv && col < nv) {
          put(nv + row, col, place ? &(place->kind = Place::motion, place->first) : nullptr);
          put(nv + row, nv + col, place ? &place->second : nullptr);
        } else if (row < nv) {
          put(row, 2 * nv + k, place ? &(place->kind = Place::force, place->first) : nullptr);
          put(nv + row, 2 * nv + m + k, place ? &place->second : nullptr);
        } else if (col < nv) {
          put(2 * nv + c, col, place ? &(place->kind = Place::constraint, place->first) : nullptr);
          put(2 * nv + m + c, nv + col, place ? &place->second : nullptr);
          put(2 * nv + m + c, col, place ? &place->third : nullptr);
        }
      }
    };
    visit([&](int row, int col, std::size_t*) { slot[{col, row}] = 0; });
    columnStart_.assign(at(size_) + 1, 0);
    for (auto& [key, index] : slot) {
      index = sparse_ ? rowOf_.size() : at(key.first) * at(size_) + at(key.second);
      rowOf_.push_back(key.second);
      ++columnStart_[at(key.first) + 1];
    }
    for (int j = 0; j < size_; ++j) columnStart_[at(j) + 1] += columnStart_[at(j)];
    place_.resize(pattern.size());
    visit([&](int row, int col, std::size_t* where) {
      if (where) *where = slot.at({col, row});
    });
    for (int i = 0; i < nv; ++i) {
      identity_.push_back(slot.at({i, i}));
      identity_.push_back(slot.at({nv + i, i}));
    }
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const System& system_;
  Dimensions n_;
  int size_;
  bool sparse_;
  State y_;
  Rates w_, stabilising_;
  Vector residual_, second_;
  Linearisation p_;
  std::vector<Place> place_;
  std::vector<std::size_t> identity_;
  std::vector<sunindextype> rowOf_, columnStart_;
};

}  // namespace

class IdaSolver::Data {
 public:
  Data(const System& system, const State& y, const Rates& w, const Tolerances& tolerances, IdaLinearSolver solver)
      : n(system.dimensions()), problem(system, solver), size(problem.size()) {
    SUNContext_Create(nullptr, &context);
    Y = N_VNew_Serial(size, context);
    Yp = N_VClone(Y);
    atol = N_VClone(Y);
    id = N_VClone(Y);
    set(y, w);
    all(atol) << Vector::Constant(n.nv, tolerances.atolPosition), Vector::Constant(n.nv, tolerances.atolVelocity),
        Vector::Constant(2 * n.m, kMultiplierTolerance);
    all(id) << Vector::Ones(2 * n.nv), Vector::Zero(2 * n.m);
    const bool sparse = solver == IdaLinearSolver::klu;
    J = sparse ? SUNSparseMatrix(size, size, problem.nonzeros(), CSC_MAT, context)
               : SUNDenseMatrix(size, size, context);
    linear = sparse ? SUNLinSol_KLU(Y, J, context) : SUNLinSol_Dense(Y, J, context);
    ida = IDACreate(context);
    IDASetErrFile(ida, nullptr);
    IDAInit(ida, &IdaProblem::residual, 0, Y, Yp);
    IDASVtolerances(ida, tolerances.rtol, atol);
    IDASetUserData(ida, &problem);
    IDASetLinearSolver(ida, linear, J);
    IDASetJacFn(ida, &IdaProblem::jacobian);
    IDASetId(ida, id);
    IDASetSuppressAlg(ida, SUNTRUE);
    IDASetMaxNumSteps(ida, kMaxSteps);
  }
  ~Data() {
    IDAFree(&ida);
    SUNLinSolFree(linear);
    SUNMatDestroy(J);
    for (N_Vector v : {Y, Yp, atol, id}) N_VDestroy(v);
    SUNContext_Free(&context);
  }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;

  Eigen::Map<Vector> all(N_Vector v) const { return Eigen::Map<Vector>(N_VGetArrayPointer(v), size); }
  void set(const State& y, const Rates& w) {
    all(Y) << y.q, y.v, Vector::Zero(n.m), w.lambda;
    all(Yp) << y.v, w.a, Vector::Zero(2 * n.m);
  }
  // IDA counts from its last start.
  Statistics sinceStart() const {
    Statistics s;
    IDAGetNumSteps(ida, &s.steps);
    IDAGetNumErrTestFails(ida, &s.rejectedSteps);
    IDAGetNumNonlinSolvIters(ida, &s.newtonIterations);
    IDAGetNumJacEvals(ida, &s.jacobianEvaluations);
    IDAGetNumLinSolvSetups(ida, &s.factorizations);
    return s;
  }

  Dimensions n;
  IdaProblem problem;
  int size;
  SUNContext context = nullptr;
  N_Vector Y = nullptr, Yp = nullptr, atol = nullptr, id = nullptr;
  SUNMatrix J = nullptr;
  SUNLinearSolver linear = nullptr;
  void* ida = nullptr;
  Statistics before;  // the last start
};

IdaSolver::IdaSolver(const System& system, const State& y, const Rates& w, const Tolerances& tolerances,
                     IdaLinearSolver solver)
    : data_(std::make_unique<Data>(system, y, w, tolerances, solver)) {}
IdaSolver::~IdaSolver() = default;

bool IdaSolver::advance(double t, bool stopThere) {
  if (stopThere) IDASetStopTime(data_->ida, t);
  double reached = 0;
  return IDASolve(data_->ida, t, &reached, data_->Y, data_->Yp, IDA_NORMAL) >= 0;
}

void IdaSolver::restart(double t, const State& y, const Rates& w) {
  data_->before = statistics();
  data_->set(y, w);
  IDAReInit(data_->ida, t, data_->Y, data_->Yp);
}

State IdaSolver::state() const {
  const int nv = data_->n.nv;
  return {data_->all(data_->Y).head(nv), data_->all(data_->Y).segment(nv, nv), Vector(0)};
}

Rates IdaSolver::rates() const {
  const int nv = data_->n.nv;
  return {data_->all(data_->Yp).segment(nv, nv), Vector(0), data_->all(data_->Y).tail(data_->n.m)};
}

Statistics IdaSolver::statistics() const {
  Statistics sum = data_->before;
  const Statistics now = data_->sinceStart();
  for (const auto count : {&Statistics::steps, &Statistics::rejectedSteps, &Statistics::newtonIterations,
                           &Statistics::jacobianEvaluations, &Statistics::factorizations})
    sum.*count += now.*count;
  return sum;
}

IdaResult runIda(const System& system, const State& y, const Rates& w, double end, const Tolerances& tolerances,
                 IdaLinearSolver solver) {
  IdaSolver ida(system, y, w, tolerances, solver);
  const bool ok = ida.advance(end, true);
  return {ok, ida.state(), ida.statistics()};
}

}  // namespace mbfmu
